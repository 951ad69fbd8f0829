import { StringDecoder } from 'node:string_decoder';
import { DeltaTemplate } from './delta-template.ts';
import { readJson } from './read-json.ts';

/** No chunk of a reply is this long; a line that never ends must not fill the memory. */
const lineLimit = 1024 * 1024;

/** Where a parser puts what it reads, in order. */
export interface ChunkSink {
  /** The text of a chunk that is nothing but a piece of text. */
  text(text: string): void;
  /** Any other chunk's JSON. */
  chunk(chunk: unknown): void;
  /** `[DONE]` came. */
  done(): void;
  /** What came is not a stream of chunks. Nothing more is read. */
  malformed(): void;
}

/**
 * Reads a Chat Completions event stream from bytes as they arrive, however they are torn.
 *
 * Each `data` line is a chunk of its own, as every server writes it; JSON spread over several `data` lines of one
 * event is put together too. Comments and other fields are passed over, CRLF is taken for LF.
 */
export class SseParser {
  #sink: ChunkSink;
  #decoder = new StringDecoder('utf8');
  #template = new DeltaTemplate();
  #rest = '';
  /** Data lines that are not yet JSON: the event may go on. */
  #unfinished = '';
  #closed = false;

  constructor(sink: ChunkSink) {
    this.#sink = sink;
  }

  /** Reads the next bytes of the body. */
  push(bytes: Buffer): void {
    if (this.#closed) return;
    const searchFrom = this.#rest.length;
    const text = this.#rest + this.#decoder.write(bytes);
    let start = 0;
    let end = text.indexOf('\n', searchFrom);
    while (end !== -1) {
      const plain = this.#template.match(text, start, end);
      if (plain === null) this.#readLine(text, start, end);
      else if (plain !== '') this.#sink.text(plain);
      if (this.#closed) return;
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    this.#rest = start === 0 ? text : text.slice(start);
    if (this.#rest.length + this.#unfinished.length > lineLimit) this.#fail();
  }

  /** The body is over: reads a last line that no line end follows. */
  end(): void {
    if (this.#closed) return;
    const last = this.#rest + this.#decoder.end();
    if (last !== '') this.#readLine(last, 0, last.length);
    if (this.#unfinished !== '') this.#fail();
    this.#closed = true;
  }

  #readLine(text: string, start: number, end: number): void {
    const line = text.slice(start, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
    if (line === '' || line === '\uFEFF') {
      if (this.#unfinished !== '') this.#fail();
      return;
    }
    const field = /^\uFEFF?(data|error)(?:: ?|$)/.exec(line);
    if (!field) return;
    const value = line.slice(field[0].length);
    // llama.cpp has named an error by the field instead of in the data.
    if (field[1] === 'error') this.#sink.chunk({ error: readJson(value) ?? value });
    else this.#readData(value, line);
  }

  #readData(value: string, line: string): void {
    if (this.#unfinished === '') {
      if (value.trim() === '') return;
      if (value.trim() === '[DONE]') {
        this.#closed = true;
        this.#sink.done();
        return;
      }
    }
    const json = this.#unfinished === '' ? value : `${this.#unfinished}\n${value}`;
    const chunk = readJson(json);
    if (chunk === undefined) {
      this.#unfinished = json;
      return;
    }
    if (this.#unfinished === '') this.#template.learn(line, line.length - value.length, chunk);
    this.#unfinished = '';
    this.#sink.chunk(chunk);
  }

  #fail(): void {
    this.#closed = true;
    this.#sink.malformed();
  }
}
