import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { listEventTypes, wordsOfTypes } from './event-catalogue.ts'

/** The page of all types of events, written by this program: `node apps/server/src/modules/events/event-types-page.ts`. */
export const eventTypesPage = join(import.meta.dirname, '../../../../../docs/api/event-types.md')

export function formatEventTypes(): string {
  const rows = listEventTypes().map(([type, { subject, audience, summary, data }]) => {
    const fields = Object.entries(data.properties).map(([name, schema]) => formatField(name, schema, data.required))
    return `| \`${type}\` | ${spacedOut(subject)} | ${summary} | ${audience} | ${fields.join(', ')} |`
  })
  const words = Object.entries(wordsOfTypes).map(([word, meaning]) => `| \`${word.replace('_', '…_')}\` | ${meaning} |`)
  return `# Types of events

What an [event](events.md) can be: \`subject_id\` names the subject, and \`data\` has these fields. \`?\` marks what may be missing,
\`| null\` what may be null. Types may be added, and fields too. What is told to admins is told to the person whom it is about as well.

These words mean the same in every type:

| word | meaning |
| --- | --- |
${words.join('\n')}

| type | subject | what happened | told to | data |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

/** \`file_name: string \| null\`, with the bar that a table takes. */
function formatField(name: string, schema: TSchema, required: readonly string[] = []): string {
  return `\`${name}${required.includes(name) ? '' : '?'}: ${formatType(schema)}\``
}

function formatType(schema: TSchema): string {
  const { type, items } = schema as { type?: string | string[]; items?: TSchema }
  if (type === 'array') return `${items ? formatType(items) : 'unknown'}[]`
  return [type ?? 'unknown'].flat().join(' \\| ')
}

/** `worklistTask` as people say it. */
const spacedOut = (kind: string) => kind.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

if (import.meta.main) writeFileSync(eventTypesPage, formatEventTypes())
