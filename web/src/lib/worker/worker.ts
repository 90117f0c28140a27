/** The code of all workers: hands questions to the module and answers back. */
import { askEngine, askExact, askRules, initSync } from '../../wasm/stoa_wasm.js';
import type { FromWorker, Kind, ToWorker } from './messages';

declare const self: DedicatedWorkerGlobalScope & {
  stoaNow: () => number;
  stoaPanicked: (message: string) => void;
  stoaWords: () => number;
  stoaHelper: () => number;
  stoaLoad: (place: number) => number;
  stoaStore: (place: number, word: number) => void;
};

let kind: Kind = 'rules';
let panic: string | undefined;
const send = (message: FromWorker) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    if ('start' in data) start(data);
    else answer(data);
  } catch (error) {
    // After a panic the module's memory cannot be trusted: this worker is replaced.
    send({ died: panic ?? String(error) });
    self.close();
  }
};

function start(message: Extract<ToWorker, { start: Kind }>) {
  kind = message.start;
  const stop = message.stop === null ? undefined : new Int32Array(message.stop);
  self.stoaNow = () => (stop !== undefined && Atomics.load(stop, 0) !== 0 ? -1 : performance.now());
  self.stoaPanicked = (text) => {
    panic = text;
  };
  const words = message.crew ? new Uint32Array(message.crew.words) : new Uint32Array();
  self.stoaWords = () => words.length;
  self.stoaHelper = () => message.crew?.helper ?? -1;
  self.stoaLoad = (place) => Atomics.load(words, place);
  self.stoaStore = (place, word) => void Atomics.store(words, place, word);
  initSync({ module: message.module });
  send({ ready: true });
}

function answer({ id, question, net }: Extract<ToWorker, { id: number }>) {
  const report = (progress: string) => send({ id, progress });
  const text =
    kind === 'rules'
      ? askRules(question)
      : kind === 'engine'
        ? askEngine(question, net, report)
        : askExact(question, report);
  send({ id, answer: text });
}
