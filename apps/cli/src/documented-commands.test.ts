import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { describeProgram } from './program.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync('{README.md,docs/**/*.md}', { cwd: root }).filter((page) => !page.startsWith('docs/decisions/'))
/** Of a page, what stands as code: whole lines of blocks, and spans of a line. */
const code = /^```[a-z]*\n([\s\S]*?)^```|`([^`\n]+)`/gm
/** By whichever way it was installed, with what comes before: a package, a launcher, a user or container of this name. */
const call = /^(?:.*[\s/(])?printyard(-hub)?(?:\.cmd)? +([a-z][^|>;&"']*)/

interface Documented {
  page: string
  line: string
  words: string[]
  /** A span often names a command without what it needs, or with the names of values in brackets. */
  isWhole: boolean
}

const documented: Documented[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(code)].flatMap(([, block, span]) =>
    (block ?? span ?? '')
      .replaceAll(/ \\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line): Documented[] => {
        if (/[{}]|^\s*(\[|#)|kubectl|useradd|git (clone|pull)|docker run|connection v1/.test(line)) return []
        // `pause|resume` stands for either.
        const plain = line.replaceAll(/"[^"]*"/g, 'VALUE').replaceAll(/\b([\w-]+)(\|[\w-]+)+/g, '$1')
        const [, isHub, rest] = call.exec(plain.replace(/ #.*$/, '')) ?? []
        if (rest === undefined) return []
        const words = [...(isHub ? ['hub'] : []), ...rest.replaceAll(/[[\]]/g, '').trim().split(/ +/)]
        return [{ page, line: line.trim(), words, isWhole: block !== undefined }]
      }),
  )
})

/** Why a line could not be typed: undefined where it could. */
function refusalOf({ words, isWhole }: Documented): string | undefined {
  let command: Command = describeProgram(() => undefined)
  const rest = [...words]
  for (let next: Command | undefined; ; command = next, rest.shift()) {
    next = command.commands.find((each) => each.name() === rest[0] || each.aliases().includes(rest[0] ?? ''))
    if (!next) break
  }
  if (!command.parent) return `no command ${words[0]}`
  const isGroup = command.registeredArguments.length === 0 && command.commands.length > 0
  if (isGroup && rest[0] !== undefined && !rest[0].startsWith('-')) return `no command ${rest[0]}`
  let given = 0
  while (rest.length > 0) {
    const [word = '', value] = (rest.shift() ?? '').split('=')
    if (!word.startsWith('-')) {
      given += 1
      continue
    }
    if (word === '--help') return undefined
    const option = command.options.find(({ long, short }) => word === long || word === short)
    if (!option) return `no option ${word}`
    if (option.required && value === undefined && rest.shift() === undefined && isWhole) return `${word} has no value`
    if (option.optional && rest[0] !== undefined && !rest[0].startsWith('-')) rest.shift()
  }
  const needed = command.registeredArguments.filter(({ required }) => required).length
  if (isWhole && given < needed) return `${given} of ${needed} arguments`
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length
  return given > most && isWhole ? `${given} arguments, ${most} at most` : undefined
}

test('each command in the documentation exists, with its options and arguments', () => {
  expect(documented.length).toBeGreaterThan(100)
  const refused = documented.flatMap((each) => {
    const refusal = refusalOf(each)
    return refusal === undefined ? [] : [`${each.page}: ${each.line}: ${refusal}`]
  })
  expect(refused).toEqual([])
})
