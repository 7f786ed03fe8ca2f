/** What a command has to say: as one JSON document for programs, as text for people. */
export interface Answer {
  document: unknown
  text: string
  /** When the answer itself is bad news, as that of `doctor`. Default: 0. */
  exitCode?: number
}

export interface AnswerOptions {
  json?: boolean
}

/** Prints an answer to standard output and gives the exit code. */
export function printAnswer(answer: Answer, { json = false }: AnswerOptions): number {
  process.stdout.write(json ? `${JSON.stringify(answer.document)}\n` : `${answer.text}\n`)
  return answer.exitCode ?? 0
}

/** For people, beside the answer: standard error, so that standard output stays pure. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Rows under their headings, each column as wide as its widest cell. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}

/** A number of things in words, such as `1,204 rows`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
