import { writeFile } from 'node:fs/promises'
import { printOpenApiDocument } from '@printyard/server/openapi-document'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'

export interface PrintOpenApiOptions {
  output?: string
  /** False with `--no-examples`. */
  examples?: boolean
}

/** The description of the API, or the name of the file it was written to. */
export async function printOpenApi({ output, examples }: PrintOpenApiOptions): Promise<Answer> {
  const text = await printOpenApiDocument({ examples: examples ?? true })
  if (output === undefined) return { document: JSON.parse(text), text: text.trimEnd() }
  try {
    await writeFile(output, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${output} cannot be written: ${reason}.`, 1, { cause: error })
  }
  return { document: { output }, text: `Wrote ${output}.` }
}
