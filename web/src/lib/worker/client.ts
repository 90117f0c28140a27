/**
 * The page's end of a worker: typed questions, timeouts, and a new worker when one dies.
 *
 * Questions are self-contained, so after a death the ones that wait are failed with `WorkerDied`
 * and the next question starts a fresh worker; nobody has to rebuild any state.
 */
import type { Failure } from '$lib/rules/protocol';
import type { Answer, CrewPart, FromWorker, Kind, ToWorker } from './messages';

/** The question was understood, and the answer is no. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** The worker died or did not answer in time; asking again starts a new one. */
export class WorkerDied extends Error {}

/** The question was withdrawn. */
export class Stopped extends Error {}

/** What a client needs of a worker; tests bring their own. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface ClientOptions {
  kind: Kind;
  makeWorker: () => WorkerLike;
  loadModule: () => Promise<WebAssembly.Module>;
  /** Whether the page may share memory with its workers. */
  isolated: boolean;
  /** Its worker's part in a crew, if it has one. */
  crew?: CrewPart | undefined;
}

export interface AskOptions {
  /** Milliseconds after which the worker counts as dead. */
  timeout?: number;
  progress?: (progress: unknown) => void;
  signal?: AbortSignal;
  /** The network to judge with, for the engine. */
  net?: Uint8Array | undefined;
}

interface Waiting {
  resolve: (answer: string) => void;
  reject: (error: Error) => void;
  progress: ((progress: unknown) => void) | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * How long a stopped search may take to say what it has found, where it can hear the stop. The
 * engine looks at its clock every thousand positions or so.
 */
const STOP_TIMEOUT_MS = 500;

export class Client {
  private worker: Promise<WorkerLike> | undefined;
  private stop: Int32Array | undefined;
  private waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(private readonly options: ClientOptions) {}

  /** Starts the worker before anything is asked. */
  wake(): void {
    (this.worker ??= this.start()).catch(() => undefined);
  }

  /** Asks and waits for the answer. Fails with `Refused`, `WorkerDied`, `Stopped` or `NoModule`. */
  async ask(question: object, options: AskOptions = {}): Promise<unknown> {
    const text = await this.send(JSON.stringify(question), options);
    const answer = JSON.parse(text) as Answer<unknown>;
    if ('error' in answer) throw new Refused(answer.error);
    return answer.ok;
  }

  /**
   * Stops what the worker is doing. Where memory is shared, the search hears it within
   * milliseconds and answers with what it has found; elsewhere nothing can reach a busy worker, so
   * it is ended, and the next question gets a new one (from the module that is compiled already,
   * in a few milliseconds). Slicing the search would cost strength on every move to make this rare
   * moment gentler.
   */
  interrupt(): void {
    if (this.waiting.size === 0) return;
    if (this.stop === undefined) {
      this.end(new Stopped('stopped'));
      return;
    }
    Atomics.store(this.stop, 0, 1);
    const asked = [...this.waiting.keys()];
    setTimeout(() => {
      if (asked.some((id) => this.waiting.has(id))) this.end(new Stopped('stopped'));
    }, STOP_TIMEOUT_MS);
  }

  /** Ends the worker, whatever it does. */
  end(error: Error): void {
    const worker = this.worker;
    this.worker = undefined;
    this.stop = undefined;
    worker?.then((ended) => ended.terminate()).catch(() => undefined);
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) {
      clearTimeout(one.timer);
      one.reject(error);
    }
  }

  private async send(question: string, options: AskOptions): Promise<string> {
    const { signal } = options;
    if (signal?.aborted) throw new Stopped('stopped');
    const worker = await (this.worker ??= this.start());
    if (signal?.aborted) throw new Stopped('stopped');
    if (this.waiting.size === 0 && this.stop !== undefined) Atomics.store(this.stop, 0, 0);
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const timer =
        options.timeout === undefined
          ? undefined
          : setTimeout(() => this.end(new WorkerDied('no answer in time')), options.timeout);
      this.waiting.set(id, { resolve, reject, progress: options.progress, timer });
      const interrupt = () => {
        if (this.waiting.has(id)) this.interrupt();
      };
      signal?.addEventListener('abort', interrupt, { once: true });
      worker.postMessage({ id, question, net: options.net });
    });
  }

  private async start(): Promise<WorkerLike> {
    let mine: Promise<WorkerLike> | undefined;
    let started: WorkerLike | undefined;
    try {
      // The worker's script is loaded while the module is.
      const worker = this.options.makeWorker();
      started = worker;
      const module = await this.options.loadModule();
      const shared = this.options.isolated ? new SharedArrayBuffer(4) : null;
      await new Promise<void>((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          if ('ready' in data) resolve();
          else if ('died' in data) reject(new WorkerDied(data.died));
        };
        worker.onerror = (event) => reject(new WorkerDied(event.message || 'cannot be started'));
        const { kind, crew } = this.options;
        worker.postMessage({ start: kind, module, stop: shared, crew });
      });
      mine = this.worker;
      this.stop = shared === null ? undefined : new Int32Array(shared);
      worker.onmessage = ({ data }) => this.hear(data);
      worker.onerror = (event) => {
        if (this.worker === mine) this.end(new WorkerDied(event.message || 'failed'));
      };
      return worker;
    } catch (error) {
      started?.terminate();
      this.worker = undefined;
      throw error;
    }
  }

  private hear(message: FromWorker): void {
    if ('died' in message) {
      this.end(new WorkerDied(message.died));
      return;
    }
    if (!('id' in message)) return;
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    if ('progress' in message) {
      waiting.progress?.(JSON.parse(message.progress));
      return;
    }
    this.waiting.delete(message.id);
    clearTimeout(waiting.timer);
    waiting.resolve(message.answer);
  }
}
