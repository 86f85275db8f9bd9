// The model of a coding agent that does what a script says: aimock speaks to the agent in its dialect, the lines here
// choose the next call of a tool.
//   node scripted_agent.mjs SCRIPT RECORD      prints "listening on http://127.0.0.1:<port> "
// SCRIPT: a JSON list of {"tool", "arguments"}. A result that says that a job is running is followed by `status`.
// RECORD: a JSON line for each request that offers the tools: {"tools": names, "results": texts of all results so far}.
import fs from 'node:fs';
import http from 'node:http';
import { LLMock } from '@copilotkit/aimock';

const [scriptFile, recordFile] = process.argv.slice(2);
const script = JSON.parse(fs.readFileSync(scriptFile, 'utf8'));

const textOf = (content) => typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
const offered = (request) => (request.tools ?? []).map((tool) => tool.function.name);
/// Agents put the server's name in front of a tool's.
const named = (request, tool) => offered(request).find((name) => name === tool || name.endsWith(`_${tool}`));
const calls = (request) => request.messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.name);

function next(request) {
  const results = request.messages.filter((message) => message.role === 'tool').map((message) => textOf(message.content));
  fs.appendFileSync(recordFile, JSON.stringify({ tools: offered(request), results }) + '\n');
  const status = named(request, 'status');
  const steps = calls(request).filter((name) => name !== status).length;
  const running = /\\?"job\\?":\\?"([^"\\]+)\\?"(?=[^]*\\?"state\\?":\\?"running)/.exec(results.at(-1) ?? '');
  const step = running ? { tool: 'status', arguments: { job: running[1], wait: 25 } } : script[steps];
  if (!step) return { content: 'All is done.' };
  return { toolCalls: [{ name: named(request, step.tool), arguments: JSON.stringify(step.arguments),
                         id: `call_${calls(request).length}` }] };
}

const mock = new LLMock({ port: 0, host: '127.0.0.1', strict: true });
mock.addFixture({ match: { predicate: (request) => !!named(request, 'list_kernels') }, response: next });
mock.addFixture({ match: { predicate: () => true }, response: { content: 'A title' } }); // agents ask for more than the task
await mock.start();

/// Codex puts the tools of a server into a namespace, which aimock does not know: they are plain tools on the way in, and
/// of their namespace on the way out.
const namespaces = new Map();
function flattened(body) {
  const request = JSON.parse(body);
  request.tools = (request.tools ?? []).flatMap((space) => space.type !== 'namespace' ? [space] : space.tools.map((tool) => {
    const name = `${space.name}__${tool.name}`;
    namespaces.set(name, { name: tool.name, namespace: space.name });
    return { ...tool, name };
  }));
  for (const item of request.input ?? [])
    if (item.type === 'function_call' && item.namespace) item.name = `${item.namespace}__${item.name}`;
  return JSON.stringify(request);
}
function spaced(line) {
  if (!line.startsWith('data: {')) return line;
  const event = JSON.parse(line.slice('data: '.length));
  for (const item of [event.item, ...(event.response?.output ?? [])])
    if (namespaces.has(item?.name)) Object.assign(item, namespaces.get(item.name));
  return `data: ${JSON.stringify(event)}`;
}

const front = http.createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const isResponses = request.method === 'POST' && request.url.includes('/responses');
  let body = Buffer.concat(pieces).toString();
  if (isResponses) body = flattened(body);
  const { host, 'content-length': length, connection, ...headers } = request.headers;
  const answer = await fetch(mock.url + request.url, { method: request.method, headers, body: request.method === 'POST' ? body : undefined });
  const text = await answer.text();
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(isResponses ? text.split('\n').map(spaced).join('\n') : text);
});
front.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${front.address().port} `));
