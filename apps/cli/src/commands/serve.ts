import { constants } from 'node:os'
import { type Config, readConfig } from '@printyard/server/kernel/config'
import { type Logger, makeLog, type RunningService, startService } from '@printyard/server/service'
import { note } from '../answer.ts'
import { saveMemoryWhenCalm } from '../calm-memory.ts'
import { CommandError } from '../command-error.ts'
import type { RunningDemo } from '../demo/demo.ts'
import { openLogOutput } from '../log-file/log-file.ts'

export interface ServeOptions {
  demo?: boolean
  host?: string
  port?: string
  dataDir?: string
  json?: boolean
}

/** Anyone who asks a service to stop counts on its end within 10 s, after the time for which it goes on answering. */
const stopTimeoutMs = 9_500

/**
 * Runs the service until a signal asks it to stop, and gives the exit code. The one line on standard output says where
 * it listens; the log goes to standard error, and to a file where the settings name one.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const config = readConfig(process.env, overridesOf(options))
  if (options.demo && config.tlsCertFile !== undefined) {
    throw new CommandError(
      'The demo farm speaks plain HTTP: unset PRINTYARD_TLS_CERT_FILE and PRINTYARD_TLS_KEY_FILE for it.',
      2,
    )
  }
  if (config.logFile === undefined) return await serveUntilAsked(config, makeLog(config), options)
  const output = openLogOutput({
    path: config.logFile,
    maxMb: config.logFileMb,
    files: config.logFiles,
    variable: 'PRINTYARD_LOG_FILE',
    messageField: 'msg',
  })
  try {
    return await serveUntilAsked(config, makeLog(config, output), options)
  } finally {
    await output.close()
  }
}

async function serveUntilAsked(config: Config, log: Logger, options: ServeOptions): Promise<number> {
  const drainMs = config.redisUrl === undefined ? 0 : config.drainSeconds * 1_000
  const stopAsked = onStopSignal(stopTimeoutMs + drainMs)
  const service = await startService(config, log)
  let demo: RunningDemo | undefined
  try {
    process.stdout.write(
      options.json ? `${JSON.stringify({ url: service.url })}\n` : `Printyard is ready at ${service.url}\n`,
    )
    saveMemoryWhenCalm()
    if (options.demo) {
      demo = await startDemoFarm(service)
    } else {
      await printSetUpHint(service)
    }
    const signal = await Promise.race([stopAsked, service.failed])
    // Nothing here can help any more; anyone who supervises the process starts it again, or is told.
    if (signal instanceof Error) throw signal
    log.info({ signal }, 'stopping')
  } finally {
    try {
      await demo?.stop()
    } finally {
      await service.stop()
    }
  }
  return 0
}

/** The address carries the code that set-up asks for. */
async function printSetUpHint({ context, url }: RunningService): Promise<void> {
  // Loaded when the service is: before, it would bring all of it along.
  const { findSetUpCode } = await import('@printyard/server/modules/people/sign-in/set-up.service')
  const code = await findSetUpCode(context)
  if (code === undefined) return
  const address = `${context.config.publicUrl ?? url}/?setup=${code}`
  note(
    `No one has set this service up yet. Open ${address} to do so; from another computer, with its name in the place of this one.`,
  )
}

async function startDemoFarm(service: RunningService): Promise<RunningDemo> {
  // Loaded only when it is asked for: no one else pays for the demo.
  const { DemoDirectoryError, startDemo } = await import('../demo/demo.ts')
  try {
    return await startDemo(service, { say: note })
  } catch (error) {
    if (error instanceof DemoDirectoryError) throw new CommandError(error.message, 1, { cause: error })
    throw error
  }
}

const demoNetwork = '127.0.0.1/32'

function overridesOf({ demo, host, port, dataDir }: ServeOptions): Record<string, string> {
  const networks = process.env.PRINTYARD_OUTBOUND_NETWORKS
  return {
    // The programs that the demo farm tells are on this machine.
    ...(demo && { PRINTYARD_OUTBOUND_NETWORKS: [...(networks ? [networks] : []), demoNetwork].join(',') }),
    ...(host !== undefined && { PRINTYARD_HOST: host }),
    ...(port !== undefined && { PRINTYARD_PORT: port }),
    ...(dataDir !== undefined && { PRINTYARD_DATA_DIR: dataDir }),
  }
}

/**
 * Resolves with the first signal that asks for an end, also when it comes before the service is up. A second one, or a
 * stop that takes too long, ends the process at once: the database is made for that.
 */
function onStopSignal(limitMs: number): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(128 + constants.signals[signal])
        isAsked = true
        setTimeout(() => {
          process.stderr.write(`The service did not stop within ${limitMs / 1_000} s and is ended.\n`)
          process.exit(1)
        }, limitMs).unref()
        resolve(signal)
      })
    }
  })
}
