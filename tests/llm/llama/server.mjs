// llama.cpp behind HTTP, as its own server answers: the library is the real one (node-llama-cpp loads it), the few lines of
// HTTP are ours, because no package holds llama-server itself.
//   node server.mjs MODEL [TOKENS]   with a context of so many; prints "listening on http://127.0.0.1:<port>"
import http from 'node:http';
import { getLlama, LlamaCompletion } from 'node-llama-cpp';

const kContext = Number(process.argv[3] ?? 1024);
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath: process.argv[2], gpuLayers: 0 });
const context = await model.createContext({ contextSize: kContext, threads: 1 });
const sequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence: sequence });

const promptOf = (messages) => messages.map((m) => `<|${m.role}|>${m.content ?? ''}\n`).join('') + '<|assistant|>';

/// Generates and hands on each piece; with a schema only what fits it.
async function generate(request, signal, onPiece) {
  const prompt = model.tokenize(promptOf(request.messages));
  const schema = request.tools?.[0]?.function?.parameters;
  const grammar = schema ? await llama.createGrammarForJsonSchema(schema) : undefined;
  let pieces = '';
  const before = sequence.tokenMeter.getState();
  const result = await completion.generateCompletionWithMeta(prompt, {
    maxTokens: request.max_tokens, grammar, temperature: 0, signal, stopOnAbortSignal: true,
    onTextChunk(piece) { pieces += piece; onPiece(piece); },
  });
  const used = sequence.tokenMeter.diff(before);
  return { text: pieces, length: result.metadata.stopReason === 'maxTokens',
           usage: { prompt_tokens: prompt.length, completion_tokens: used.usedOutputTokens,
                    total_tokens: prompt.length + used.usedOutputTokens } };
}

async function chat(request, response) {
  const count = model.tokenize(promptOf(request.messages)).length;
  if (count + request.max_tokens > kContext) {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 400, type: 'exceed_context_size_error', n_prompt_tokens: count, n_ctx: kContext,
                                           message: 'the request exceeds the available context size, try increasing it' } }));
    return;
  }
  const aborted = new AbortController();
  response.on('close', () => aborted.abort());
  const tool = request.tools?.[0]?.function?.name;
  const call = (arguments_) => ({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: arguments_ } }] });
  const send = (object) => response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'tiny-random', ...object })}\n\n`);
  if (request.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (tool) send({ choices: [{ index: 0, delta: { role: 'assistant', ...call('') }, finish_reason: null }] });
  }
  const onPiece = (piece) => {
    if (!request.stream) return;
    const delta = tool ? { tool_calls: [{ index: 0, function: { arguments: piece } }] } : { content: piece };
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
  };
  const made = await generate(request, aborted.signal, onPiece);
  const finish_reason = made.length ? 'length' : tool ? 'tool_calls' : 'stop';
  if (request.stream) {
    send({ choices: [{ index: 0, delta: {}, finish_reason }] });
    if (request.stream_options?.include_usage) send({ choices: [], usage: made.usage });
    response.end('data: [DONE]\n\n');
  } else {
    const message = tool ? { role: 'assistant', content: null, ...call(made.text) } : { role: 'assistant', content: made.text };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ model: 'tiny-random', choices: [{ index: 0, message, finish_reason }], usage: made.usage }));
  }
}

const answers = {
  'GET /props': () => ({ default_generation_settings: { n_ctx: kContext }, total_slots: 1,
                         chat_template_caps: { supports_tools: true }, model_path: process.argv[2] }),
  'GET /v1/models': () => ({ object: 'list', data: [{ id: 'tiny-random', meta: { n_ctx_train: model.trainContextSize } }] }),
};
let turn = Promise.resolve(); // one at a time: there is one sequence
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += piece));
  request.on('end', () => {
    const answer = answers[`${request.method} ${request.url}`];
    if (answer) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer()));
    } else if (request.url === '/v1/chat/completions') {
      turn = turn.then(() => chat(JSON.parse(body), response)).catch((error) => response.destroy(error));
    } else {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}');
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
