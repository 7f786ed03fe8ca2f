interface StepLine {
  show(step: string): void
  clear(): void
}

/** Interval at which the line is written again. */
const showEveryMs = 100

/** Shows how far long work has come, in one line that is replaced; nothing where no person looks. */
export function showStep(verb: string): StepLine {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => undefined, clear: () => undefined }
  let shownAtMs = Number.NEGATIVE_INFINITY
  const write = (text: string) => stderr.write(`\r\u001b[K${text}`)
  return {
    show(step) {
      const nowMs = performance.now()
      if (nowMs - shownAtMs < showEveryMs) return
      shownAtMs = nowMs
      write(`${verb} ${step} …`)
    },
    clear: () => write(''),
  }
}

/** `orders, 1,200 of 3,400 rows`, without how many there are where that is not known. */
export function stepWords(what: string, done: number, total: number | null, unit: string): string {
  const figures = new Intl.NumberFormat('en')
  const of = total === null ? '' : ` of ${figures.format(total)}`
  return `${what}, ${figures.format(done)}${of} ${unit}`
}
