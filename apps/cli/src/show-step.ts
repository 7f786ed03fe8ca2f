interface StepLine {
  show(step: string): void
  clear(): void
}

/** Shows how far long work has come, in one line that is replaced; nothing where no person looks. */
export function showStep(verb: string): StepLine {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => undefined, clear: () => undefined }
  const write = (text: string) => stderr.write(`\r\u001b[K${text}`)
  return { show: (step) => write(`${verb} ${step} …`), clear: () => write('') }
}
