import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printPeopleDocument } from './openapi-document.ts'

writeFileSync(fileURLToPath(new URL('../openapi.people.json', import.meta.url)), await printPeopleDocument())
