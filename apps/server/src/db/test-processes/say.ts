/** One line of JSON on standard output, for the test that started this process. */
export function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

export function sayError(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  say({ error: error instanceof Error ? error.message : String(error), code })
}
