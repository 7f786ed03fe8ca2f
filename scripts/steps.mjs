import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** A step that failed for a reason its reader can act on. `message` is complete: what failed and what to do. */
export class StepFailure extends Error {
  /**
   * @param {string} what what failed, as a sentence
   * @param {{ output?: string, advice: string }} details output of the tool, of which the end is shown
   */
  constructor(what, details) {
    const end = details.output === undefined ? '' : lastLines(details.output, 20)
    super([what, ...(end === '' ? [] : [end]), details.advice].join('\n'))
    this.name = 'StepFailure'
  }
}

/**
 * @param {string} text
 * @param {number} count
 */
export function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}

/** @param {number} ms */
export function formatDuration(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The title that stands at the end of the output, waiting for its duration; steps may run side by side. */
let openTitle = ''

/**
 * Runs a step and tells of it in one line on standard error, because standard output may be read by a program:
 * `Installing dependencies … 8.2 s`.
 *
 * @template T
 * @param {string} title
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const opening = `${title} … `
  process.stderr.write(openTitle === '' ? opening : `\n${opening}`)
  openTitle = opening
  const startedAt = performance.now()
  /** @param {string} outcome */
  const close = (outcome) => {
    const isOwnLine = openTitle === opening
    const start = isOwnLine ? '' : openTitle === '' ? opening : `\n${opening}`
    process.stderr.write(`${start}${outcome}${formatDuration(performance.now() - startedAt)}\n`)
    openTitle = ''
  }
  try {
    const result = await work()
    close('')
    return result
  } catch (error) {
    close('failed after ')
    throw error
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** @type {NodeJS.Signals[]} */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Passes an ending signal on to the tools that run, then ends by it: a tool left alone would go on writing where the
 * next start starts over.
 */
export function endToolsWithUs() {
  for (const signal of endingSignals) {
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      process.exit(128 + constants.signals[signal])
    })
  }
  process.on('exit', () => {
    for (const child of running) child.kill()
  })
}

/**
 * Runs a tool to its end and keeps what it prints.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, shown?: boolean, onStart?: (pid: number) => void }} [options]
 *   `shown`: the tool writes to our terminal instead, and `output` stays empty
 * @returns {Promise<{ exitCode: number, output: string, standardOutput: string, isTimedOut: boolean }>} never rejects; a
 *   tool that cannot be started or ends by a signal has an exit code like a shell's
 */
export function runTool(command, args, options = {}) {
  return new Promise((resolve) => {
    let output = ''
    let standardOutput = ''
    let isTimedOut = false
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', options.shown ? 'inherit' : 'pipe', options.shown ? 'inherit' : 'pipe'],
    })
    running.add(child)
    if (child.pid !== undefined) options.onStart?.(child.pid)
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            isTimedOut = true
            child.kill('SIGKILL')
          }, options.timeoutMs)

    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text
      standardOutput += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.once('error', (error) => finish(127, `${output}${error.message}\n`))
    child.once('close', (code, signal) =>
      finish(code ?? 128 + (signal === null ? 0 : constants.signals[signal]), output),
    )

    /**
     * @param {number} exitCode
     * @param {string} text
     */
    function finish(exitCode, text) {
      clearTimeout(timer)
      running.delete(child)
      resolve({ exitCode, output: text, standardOutput, isTimedOut })
    }
  })
}

/**
 * Runs the body of a script; a failed step ends it with its message and exit code 1.
 *
 * @param {() => Promise<void>} main
 */
export async function runScript(main) {
  endToolsWithUs()
  try {
    await main()
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}
