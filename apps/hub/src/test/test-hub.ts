import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VirtualPrinterEvent } from '@printyard/virtual-printers/virtual-printer'
import type { HubConfig } from '../config.ts'
import type { Timings } from '../timings.ts'
import { PRINTER, type TestService } from './test-service.ts'

/** Waits of a hub that is watched by an impatient test. */
export const quickTimings: Partial<Timings> = {
  telemetryMs: 50,
  firstRetryMs: 40,
  maxRetryMs: 200,
  confirmTimeoutMs: 1_500,
  effectTimeoutMs: 1_500,
  readyTimeoutMs: 2_000,
  retryPauseMs: 100,
}

export function buildConfig(
  service: Pick<TestService, 'url' | 'token'>,
  overrides: Partial<HubConfig> = {},
): HubConfig {
  return {
    serviceUrl: service.url,
    token: service.token,
    dataDir: join(tmpdir(), 'printyard-hub-none'),
    virtualCount: 0,
    speed: 1_000,
    cacheBytes: 64 * 1024 * 1024,
    isDiscoveryOn: false,
    allowsPublicAddresses: false,
    ...overrides,
  }
}

export function makeDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'printyard-hub-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Answers what physically happened at a virtual printer, read from its own memory. */
export function printerEvents(dataDir: string, printerId = PRINTER): VirtualPrinterEvent[] {
  return readFileSync(join(dataDir, 'virtual', `${printerId}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .flatMap((line) => (JSON.parse(line) as { events?: VirtualPrinterEvent[] }).events ?? [])
}

export function startsAt(dataDir: string, printerId = PRINTER): number {
  return printerEvents(dataDir, printerId).filter(({ kind }) => kind === 'started').length
}

export interface HubProcess {
  readonly pid: number
  /** What it logged, for the message of a failing test. */
  readonly output: () => string
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

export function spawnHub(config: HubConfig, timings: Partial<Timings> = quickTimings): HubProcess {
  const program = join(import.meta.dirname, 'hub-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify({ config, timings })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const gone = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    stop() {
      child.kill('SIGTERM')
      return gone
    },
  }
}
