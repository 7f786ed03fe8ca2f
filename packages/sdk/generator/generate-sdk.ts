import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printResources } from './generate-resources.ts'
import { printTypes } from './generate-types.ts'
import { readDescription } from './read-description.ts'

export const sources = fileURLToPath(new URL('../src', import.meta.url))

/** The generated files of the SDK, by their path below `src`. */
export async function printSdk(): Promise<Map<string, string>> {
  const description = readDescription()
  const { files } = printResources(description)
  return new Map([
    ['generated/api.generated.ts', await printTypes(description)],
    ...[...files].map(([name, text]) => [`resources/${name}`, text] as const),
  ])
}

export function listGenerated(): string[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.generated.ts'))
    .sort()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await printSdk()
  for (const file of listGenerated()) rmSync(`${sources}/${file}`)
  for (const folder of ['generated', 'resources']) mkdirSync(`${sources}/${folder}`, { recursive: true })
  for (const [file, text] of files) writeFileSync(`${sources}/${file}`, text)
}
