import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'

const cli = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Longer than a hub needs to let go of everything. */
const stopTimeoutMs = 5_000
const restartDelayMs = 3_000

export interface HubProcess {
  stop(): Promise<void>
}

/** A hub in a process of its own, as on a farm; one that ends by itself is started again. */
export function startHubProcess(options: {
  serviceUrl: string
  token: string
  dataDir: string
  speed: number
  log: FastifyBaseLogger
  /** True when what it says is not shown. */
  isQuiet?: boolean
}): HubProcess {
  const { serviceUrl, token, dataDir, speed, log, isQuiet = false } = options
  let child: ChildProcess
  let isStopping = false
  let restart: NodeJS.Timeout | undefined

  function start(): void {
    child = spawn(process.execPath, [cli, 'hub', 'run', '--data-dir', dataDir, '--speed', String(speed)], {
      // The token goes by the environment: arguments can be read by every user of the machine.
      env: { ...process.env, PRINTYARD_HUB_URL: serviceUrl, PRINTYARD_HUB_TOKEN: token, PRINTYARD_HUB_TOKEN_FILE: '' },
      stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit'],
    })
    child.once('exit', (code, signal) => {
      if (isStopping) return
      log.warn({ code, signal }, 'the hub of the demo farm ended and is started again')
      restart = setTimeout(start, restartDelayMs)
    })
  }
  start()

  return {
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(timer)
    },
  }
}
