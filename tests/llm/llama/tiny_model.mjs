// Writes a language model of half a megabyte in GGUF: the architecture "llama" with random weights, and a vocabulary of
// bytes and ASCII. What it says is noise; its tokens, its context and its grammars are as real as any model's.
//   node tiny_model.mjs FILE
import fs from 'node:fs';

const kEmbedding = 64, kHeads = 4, kLayers = 2, kFeedForward = 128, kContext = 4096;
const kU32 = 4, kF32 = 6, kBool = 7, kString = 8, kArray = 9, kI32 = 5;

const tokens = ['<unk>', '<s>', '</s>'];
for (let byte = 0; byte < 256; ++byte) tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
tokens.push('\u2581');
for (let code = 32; code < 127; ++code) tokens.push(String.fromCharCode(code));
const tokenTypes = tokens.map((_, i) => (i === 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1)); // unknown, control, byte, normal

// SplitMix32: the same weights everywhere.
let state = 1;
function random() {
  state = (state + 0x9e3779b9) | 0;
  let z = state;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
}
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const number = (bytes, write) => { const b = Buffer.alloc(bytes); write(b); return b; };
const u32 = (value) => number(4, (b) => b.writeUInt32LE(value));
const u64 = (value) => number(8, (b) => b.writeBigUInt64LE(BigInt(value)));
const f32 = (value) => number(4, (b) => b.writeFloatLE(value));
const i32 = (value) => number(4, (b) => b.writeInt32LE(value));
const text = (value) => { const b = Buffer.from(value); return Buffer.concat([u64(b.length), b]); };
const entry = (name, type, value) => Buffer.concat([text(name), u32(type), value]);
const list = (name, type, values) => entry(name, kArray, Buffer.concat([u32(type), u64(values.length), ...values]));

const metadata = [
  entry('general.architecture', kString, text('llama')),
  entry('general.name', kString, text('tiny-random')),
  ...Object.entries({
    context_length: kContext, embedding_length: kEmbedding, block_count: kLayers, feed_forward_length: kFeedForward,
    'attention.head_count': kHeads, 'attention.head_count_kv': kHeads, 'rope.dimension_count': kEmbedding / kHeads,
    vocab_size: tokens.length,
  }).map(([name, value]) => entry(`llama.${name}`, kU32, u32(value))),
  entry('llama.attention.layer_norm_rms_epsilon', kF32, f32(1e-5)),
  entry('tokenizer.ggml.model', kString, text('llama')),
  list('tokenizer.ggml.tokens', kString, tokens.map(text)),
  list('tokenizer.ggml.scores', kF32, tokens.map(() => f32(0))),
  list('tokenizer.ggml.token_type', kI32, tokenTypes.map(i32)),
  entry('tokenizer.ggml.bos_token_id', kU32, u32(1)),
  entry('tokenizer.ggml.eos_token_id', kU32, u32(2)),
  entry('tokenizer.ggml.unknown_token_id', kU32, u32(0)),
  entry('tokenizer.ggml.add_bos_token', kBool, Buffer.from([1])),
];

const shapes = [['token_embd.weight', kEmbedding, tokens.length], ['output_norm.weight', kEmbedding],
                ['output.weight', kEmbedding, tokens.length]];
for (let layer = 0; layer < kLayers; ++layer) {
  const name = (part) => `blk.${layer}.${part}.weight`;
  shapes.push([name('attn_norm'), kEmbedding], [name('ffn_norm'), kEmbedding]);
  for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) shapes.push([name(part), kEmbedding, kEmbedding]);
  shapes.push([name('ffn_gate'), kEmbedding, kFeedForward], [name('ffn_up'), kEmbedding, kFeedForward],
              [name('ffn_down'), kFeedForward, kEmbedding]);
}

const padded = (buffer) => Buffer.concat([buffer, Buffer.alloc((32 - (buffer.length % 32)) % 32)]);
let offset = 0;
const descriptions = [], weights = [];
for (const [name, ...sizes] of shapes) {
  descriptions.push(text(name), u32(sizes.length), ...sizes.map(u64), u32(0), u64(offset)); // 0: 32-bit floats
  const count = sizes.reduce((a, b) => a * b, 1);
  const values = Float32Array.from({ length: count }, () => (name.includes('norm') ? 1 : 0.08 * gaussian()));
  const bytes = padded(Buffer.from(values.buffer));
  weights.push(bytes);
  offset += bytes.length;
}
const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(shapes.length), u64(metadata.length), ...metadata, ...descriptions]);
fs.writeFileSync(process.argv[2], Buffer.concat([padded(head), ...weights]));
