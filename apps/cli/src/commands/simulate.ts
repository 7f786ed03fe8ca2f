import {
  portsPerPrinter,
  type SimulatedFamily,
  type SimulatedPrinter,
  simulatedFamilies,
  startSimulatedPrinter,
} from '@printyard/virtual-printers/simulated-families'
import { type AnswerOptions, note } from '../answer.ts'
import { CommandError } from '../command-error.ts'

export interface SimulateOptions extends AnswerOptions {
  count: string
  speed: string
  seed: string
  port: string
}

const MOST_PRINTERS = 200
const MOST_SPEED = 100_000
const MOST_SEED = 2 ** 31 - 1
const LAST_PORT = 65_535

/** Runs simulated printers until a signal asks it to stop, and prints how each of them is added. */
export async function simulate(asked: string, options: SimulateOptions): Promise<number> {
  const families = familiesNamed(asked)
  const count = wholeNumber('--count', options.count, 1, Math.floor(MOST_PRINTERS / families.length))
  const seed = wholeNumber('--seed', options.seed, 0, MOST_SEED)
  const portsNeeded = families.length * count * portsPerPrinter
  const port = wholeNumber('--port', options.port, 0, LAST_PORT + 1 - portsNeeded)
  const speed = Number(options.speed)
  if (!(speed > 0 && speed <= MOST_SPEED)) throw wrong('--speed', options.speed, `above 0 and at most ${MOST_SPEED}`)

  const stopAsked = onStopSignal()
  const running: SimulatedPrinter[] = []
  try {
    for (const family of families) {
      for (let number = 1; number <= count; number += 1) {
        const ownPort = port && port + running.length * portsPerPrinter
        running.push(await startSimulatedPrinter({ family, number, speed, seed, port: ownPort }).catch(portTaken))
      }
    }
    process.stdout.write(options.json ? `${JSON.stringify({ printers: running.map(describe) })}\n` : asText(running))
    await stopAsked
  } finally {
    await Promise.all(running.map((printer) => printer.close()))
  }
  note('The simulated printers are off.')
  return 0
}

function describe({ family, serial, settings }: SimulatedPrinter) {
  return { family, serial, ...settings }
}

function asText(printers: readonly SimulatedPrinter[]): string {
  const blocks = printers.map(({ serial, settings }) => {
    const { name, model, connection_type, connection } = settings
    const machine = serial === null ? model : `${model}, serial ${serial}`
    return `${name} (${machine})\n  connection_type  ${connection_type}\n  connection       ${JSON.stringify(connection)}`
  })
  return `${blocks.join('\n')}\nThey print until Ctrl+C.\n`
}

function familiesNamed(asked: string): readonly SimulatedFamily[] {
  if (asked === 'all') return simulatedFamilies
  const family = simulatedFamilies.find((name) => name === asked)
  if (family !== undefined) return [family]
  throw new CommandError(`There is no family "${asked}". It is one of: ${simulatedFamilies.join(', ')}, all.`, 2)
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw wrong(option, text, `a whole number from ${least} to ${most}`)
}

function wrong(option: string, text: string, allowed: string): CommandError {
  return new CommandError(`${option} is "${text}", but must be ${allowed}.`, 2)
}

function portTaken(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
  throw new CommandError(`A port is taken: ${error.message}. Choose another --port, or leave it out.`, 1, {
    cause: error,
  })
}

function onStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
