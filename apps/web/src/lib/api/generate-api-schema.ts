import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ApiDescription, writeApiSchema } from './api-schema-text.ts'

const descriptionFile = fileURLToPath(new URL('../../../../server/openapi.json', import.meta.url))

/** The checked-in output of this program. */
export const apiSchemaFile = fileURLToPath(new URL('./api-schema.generated.ts', import.meta.url))

/** Types of the API as the service describes it now. */
export function printApiSchema(): string {
  // Our own file, held to its form by the tests of the service.
  return writeApiSchema(JSON.parse(readFileSync(descriptionFile, 'utf8')) as ApiDescription)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(apiSchemaFile, printApiSchema())
