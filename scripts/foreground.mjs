import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const sameSignalMs = 1000

/**
 * Decides which arriving signals are passed on. Ctrl-C under npm arrives twice, from the terminal and from npm; the
 * same signal within a second is one wish, a later one a second wish.
 *
 * @returns {(signal: NodeJS.Signals, nowMs: number) => boolean}
 */
export function signalGate() {
  /** @type {Map<NodeJS.Signals, number>} */
  const lastPassed = new Map()
  return (signal, nowMs) => {
    const last = lastPassed.get(signal)
    if (last !== undefined && nowMs - last < sameSignalMs) return false
    lastPassed.set(signal, nowMs)
    return true
  }
}

/**
 * Runs a program in our place: our input and output are its own, signals to us go to it, and we end as it ends.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {{ ownGroup: boolean }} options `ownGroup`: the terminal's signals reach the program through us alone, and
 *   therefore once
 * @returns {Promise<never>}
 */
export function runInForeground(command, args, env, options) {
  return new Promise(() => {
    const child = spawn(command, args, { env, stdio: 'inherit', detached: options.ownGroup })
    const isPassedOn = signalGate()
    for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.removeAllListeners(signal)
      process.on(signal, () => {
        const isFromTerminal = signal === 'SIGINT' && process.stdin.isTTY === true
        if (!options.ownGroup && isFromTerminal) return
        if (isPassedOn(signal, performance.now())) child.kill(signal)
      })
    }
    child.once('error', (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      process.exit(127)
    })
    child.once('exit', (code, signal) => {
      if (signal === null) process.exit(code ?? 1)
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
      // Some signals end us a moment later, and some not at all.
      setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
    })
  })
}

/**
 * Runs a TypeScript program of the project with Node 24, as `runInForeground` does. It stops by itself when we are
 * killed without a chance to tell it.
 *
 * @param {string} nodePath
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function runProgram(nodePath, program, args, env) {
  const follow = fileURLToPath(new URL('./follow-starter.mjs', import.meta.url))
  return runInForeground(nodePath, ['--import', follow, program, ...args], env, { ownGroup: true })
}
