import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IsOptional, type TSchema } from 'typebox'
import { Build } from 'typebox/schema'
import { commandArguments } from './commands.ts'
import { messageHeader, serviceMessages } from './messages.ts'

/** The checked-in output of this program. */
export const serviceChecksFile = join(import.meta.dirname, 'service-checks.generated.ts')

type Properties = Readonly<Record<string, TSchema>>

/** Answers what a hub checks frames of the service by, as the text of a TypeScript file that does not load the schemas. */
export function printServiceChecks(): string {
  const messages = Object.entries(serviceMessages).map(([type, { properties }]) =>
    printChecks(type, { ...messageHeader, ...properties }),
  )
  const commands = Object.entries(commandArguments).map(([kind, { properties }]) => printChecks(kind, properties))
  return `// @ts-nocheck: its functions are the compiler's of the schema library, which writes JavaScript.
// Written by generate-service-checks.ts; a test compares it with the schemas.
import { Guard } from 'typebox/guard'
import type { CommandKind } from './command-kinds.ts'
import type { ObjectChecks } from './service-frames.ts'

/** Message name → property → check. */
export const messageChecks: Readonly<Record<string, ObjectChecks>> = {
${messages.join('\n')}
}

/** Kind of command → argument → check. */
export const commandChecks: Readonly<Record<CommandKind, ObjectChecks>> = {
${commands.join('\n')}
}
`
}

function printChecks(name: string, properties: Properties): string {
  const checks = Object.entries(properties).map(
    ([property, schema]) => `    ${property}: { optional: ${IsOptional(schema)}, fits: ${printFunction(schema)} },`,
  )
  return `  ${name}: {\n${checks.join('\n')}\n  },`
}

function printFunction(schema: TSchema): string {
  const build = Build(schema)
  const external = build.External()
  const patterns = external.variables.map((variable) => {
    if (variable instanceof RegExp) return variable.toString()
    throw new Error(`a schema needs ${String(variable)} at run time, which cannot be written into a file`)
  })
  const [entry] = /^\w+/.exec(build.Entry()) ?? []
  if (build.UseUnevaluated() || entry === undefined) throw new Error('a schema of messages has no plain check')
  const declarations = patterns.length > 0 ? [`const ${external.identifier} = [${patterns.join(', ')}]`] : []
  return `(() => { ${[...declarations, ...build.Functions(), `return ${entry}`].join('; ')} })()`
}

if (import.meta.main) {
  const text = printServiceChecks()
  if (!process.argv.includes('--check')) writeFileSync(serviceChecksFile, text)
  else if (readFileSync(serviceChecksFile, 'utf8') !== text) {
    console.error(
      'packages/protocol/src/service-checks.generated.ts does not match the schemas; run node packages/protocol/src/generate-service-checks.ts',
    )
    process.exitCode = 1
  }
}
