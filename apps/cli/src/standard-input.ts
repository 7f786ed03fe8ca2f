import { CommandError } from './command-error.ts'

/** Far more than a secret has, far less than a file given by mistake. */
const mostBytes = 8_192

/** One secret from standard input, without the line end that `echo` and editors add. */
export async function readSecretFromInput(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (input.isTTY) {
    throw new CommandError('The password is read from a pipe, so that it is not shown while it is typed.', 2)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new CommandError('The password on standard input is too long.', 2)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
