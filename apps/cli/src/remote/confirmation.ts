import { createInterface } from 'node:readline/promises'
import { CommandError } from '../command-error.ts'

/** Options of commands that move machines, or queue work that may start by itself. */
export interface ConfirmedOptions {
  yes?: boolean
}

/** Asks before something moves. @throws CommandError when the answer is no, or there is no terminal. */
export async function confirm(question: string, { yes = false }: ConfirmedOptions): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError('Add --yes: there is no terminal to ask on.', 2)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.')
  } finally {
    lines.close()
  }
}
