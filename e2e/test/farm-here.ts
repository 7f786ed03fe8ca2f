import { readHubConfig } from '@printyard/hub/config'
import { createHub } from '@printyard/hub/hub'
import { createLineLog } from '@printyard/hub/util/log'
import { readConfig } from '@printyard/server/kernel/config'
import { makeLog, startService } from '@printyard/server/service'
import { type FarmProcess, recordDatabase } from './farm-processes.ts'

// Service and hub as their commands run them, in this process: it has loaded and compiled them already, which costs each new
// process seconds. Tests about a process, its settings or its sudden end start one.

interface HubHere {
  /** Everything it logged so far. */
  log(): string
  /** Rejects with why it did not start, if so. */
  stop(): Promise<void>
}

/** Starts the service on a port that is free, with the settings that `startServiceProcess` gives one of its own. */
export async function startServiceHere(
  dataDir: string,
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  recordDatabase(dataDir, databaseUrl)
  const config = readConfig({
    PRINTYARD_DATA_DIR: dataDir,
    PRINTYARD_PORT: '0',
    PRINTYARD_RATE_LIMIT_PER_MINUTE: '100000',
    ...settings,
    DATABASE_URL: databaseUrl,
  })
  const { url, stop } = await startService(config, makeLog({ logLevel: 'silent' }))
  return { url, stop }
}

/** Starts a hub, which takes no signals: many may run beside one another. */
export function startHubHere(options: { url: string; token: string; dataDir: string; speed: number }): HubHere {
  let written = ''
  const log = createLineLog((line) => {
    written = (written + line).slice(-200_000)
  })
  const hub = createHub(readHubConfig(options, { PRINTYARD_HUB_DISCOVERY: 'off' }, undefined), { log })
  const started = hub.start()
  // Heard of at the stop.
  started.catch(() => undefined)
  return {
    log: () => written,
    async stop() {
      await started
      await hub.stop()
    },
  }
}

/** In the form of a process, for farms that have either; that it is none is told to those who want to kill it. */
export function asProcess({ stop, log = () => '' }: { stop(): Promise<void>; log?(): string }): FarmProcess {
  const ended = Promise.withResolvers<number | null>()
  return {
    pid: process.pid,
    log,
    ended: ended.promise,
    kill: () => Promise.reject(new Error('this runs within the test: only a process of its own can be killed')),
    async stop() {
      await stop()
      ended.resolve(0)
      return 0
    },
  }
}
