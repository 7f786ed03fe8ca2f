import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ApiDescription, writeApiSchema } from './api-schema-text.ts'

/** What integrations and the dashboard call, and what the dashboard alone calls. */
const descriptionFiles = ['openapi.json', 'openapi.people.json'].map((name) =>
  fileURLToPath(new URL(`../../../../server/${name}`, import.meta.url)),
)

/** The checked-in output of this program. */
export const apiSchemaFile = fileURLToPath(new URL('./api-schema.generated.ts', import.meta.url))

/** Types of the API as the service describes it now. */
export function printApiSchema(): string {
  // Our own files, held to their form by the tests of the service.
  return writeApiSchema(descriptionFiles.map((file) => JSON.parse(readFileSync(file, 'utf8')) as ApiDescription))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(apiSchemaFile, printApiSchema())
