import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Plays a test file of seeded rounds as long as the settings say, and ends as it ended. */
export function playRounds(file: string, settings: Record<string, string>): void {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const args = [vitest, 'run', '--project', 'system', '--disable-console-intercept=true', file]
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

/** Ends with 2 where an option is not a whole number from 1 on. */
export function requireWholeNumbers(options: Record<string, string>): void {
  for (const [name, text] of Object.entries(options)) {
    if (/^[1-9]\d{0,8}$/.test(text)) continue
    process.stderr.write(`--${name} must be a whole number from 1 on: ${text}\n`)
    process.exit(2)
  }
}
