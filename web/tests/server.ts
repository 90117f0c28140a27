import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from '@playwright/test';
import { everybodyLeaves } from './people';

/** The program to serve with; `cargo xtask test browser` builds it and names it here. */
export const STOA = process.env['STOA'];
/** The program that starts two nodes, where Postgres and NATS are installed. */
export const TWO_NODES = process.env['TWO_NODES'];

/** A Stoa server of its own, on a free port, with a data folder that goes when it goes. */
export class StoaServer {
  private process?: ChildProcess;
  private data = '';
  /** Where it is, once it has been started. */
  address = '';
  private readonly options: string[];

  /** One that will be started with further options. */
  constructor(...options: string[]) {
    this.options = options;
  }

  /** Gives every test of a file a server that is started before it, and skips them where there is no program. */
  static forEachTest(...options: string[]): StoaServer {
    test.skip(STOA === undefined, 'STOA does not name the program to serve with');
    const server = new StoaServer(...options);
    test.beforeEach(() => server.start());
    test.afterEach(async () => {
      await everybodyLeaves();
      await server.stop();
    });
    return server;
  }

  /** Starts it with no data. */
  async start(): Promise<void> {
    this.data = await mkdtemp(join(tmpdir(), 'stoa-browser-test-'));
    ({ process: this.process, address: this.address } = await run(
      this.data,
      '127.0.0.1:0',
      this.options,
    ));
  }

  /** Runs `stoa admin` beside it, and tells what that says. */
  async admin(...words: string[]): Promise<string> {
    const options = ['admin', ...words, '--data', this.data];
    return (await promisify(execFile)(STOA ?? '', options)).stdout;
  }

  /** Ends the process at once, without a word, as a power cut does. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Starts it again, at the same address and with the same data. */
  async restart(): Promise<void> {
    ({ process: this.process } = await run(this.data, new URL(this.address).host, this.options));
  }

  /** Asks it to stop, and tells with which status it did. */
  async stop(): Promise<number | null> {
    const code = await this.end('SIGTERM');
    await rm(this.data, { recursive: true, force: true });
    return code;
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { process } = this;
    if (process === undefined) return null;
    if (process.exitCode !== null || process.signalCode !== null) return process.exitCode;
    const ended = new Promise<number | null>((resolve) => process.on('exit', resolve));
    process.kill(signal);
    return ended;
  }
}

/** Two nodes of one service, with Postgres and NATS. */
export class TwoNodes {
  private constructor(
    private readonly process: ChildProcess,
    readonly nodes: [{ address: string }, { address: string }],
  ) {}

  static async start(): Promise<TwoNodes> {
    const process = spawn(TWO_NODES ?? '', [STOA ?? ''], { stdio: ['pipe', 'pipe', 'inherit'] });
    const nodes = await new Promise<TwoNodes['nodes']>((resolve, reject) => {
      let said = '';
      process.stdout.on('data', (words: Buffer) => {
        said += words.toString();
        const [first, second, ...rest] = said.split('\n');
        if (first && second && rest.length > 0) resolve([{ address: first }, { address: second }]);
      });
      process.on('error', reject);
      process.on('exit', (code) => reject(new Error(`the nodes have ended with ${code}`)));
    });
    return new TwoNodes(process, nodes);
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (process.exitCode !== null || process.signalCode !== null) return;
    const ended = new Promise((resolve) => process.on('exit', resolve));
    process.stdin?.end();
    await ended;
  }
}

async function run(data: string, listen: string, more: string[]) {
  // All browsers of the tests have one address, so there is no limit for an address here.
  const options = ['serve', '--listen', listen, '--data', data, '--rate', '0', ...more];
  const process = spawn(STOA ?? '', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await new Promise<string>((resolve, reject) => {
    process.stdout.on('data', (words: Buffer) => {
      const found = /http:\/\/[\d.:]+\//.exec(words.toString());
      if (found) resolve(found[0]);
    });
    process.on('error', reject);
    process.on('exit', (code) => reject(new Error(`the server has ended with ${code}`)));
  });
  return { process, address };
}
