import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { shells, writeCompletion } from './completion.ts'
import { describeProgram } from './program.ts'

const program = describeProgram(() => undefined)

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

/** What bash offers after these words, of which the last is being typed. */
function offered(...words: string[]): string[] {
  const script = `${writeCompletion(program, 'bash')}
COMP_WORDS=(printyard "$@"); COMP_CWORD=$#; _printyard; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

describe('bash', () => {
  test('offers commands, then those below, then options', () => {
    expect(offered('jo')).toEqual(['jobs'])
    expect(offered('jobs', 'p')).toEqual(['print', 'pause'])
    expect(offered('jobs', 'list', '--s')).toEqual(['--server', '--status'])
  })

  test('offers the values of an option, and nothing of its own where any text may stand', () => {
    expect(offered('jobs', 'list', '--status', 'p')).toEqual(['processing', 'printing', 'paused'])
    expect(offered('printers', 'list', '--status', 'p')).toEqual(['printing', 'paused'])
    expect(offered('jobs', 'list', '--server', '')).toEqual([])
  })

  test('is not led astray by an argument that looks like a command', () => {
    expect(offered('jobs', 'print', 'jobs', '--pri')).toEqual(['--printer', '--priority'])
  })
})

/** Whether a shell is installed here; its tests are skipped otherwise, and say so. */
function has(shell: string): boolean {
  const isThere = spawnSync(shell, ['-c', 'exit']).status === 0
  if (!isThere) console.warn(`SKIPPED: ${shell} is not installed (apt-get install ${shell})`)
  return isThere
}

describe.skipIf(!has('fish'))('fish', () => {
  /** What fish offers for a line that is being typed. */
  function offered(line: string): string[] {
    const script = `${writeCompletion(program, 'fish')}\ncomplete -C ${JSON.stringify(line)}`
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t', 1)[0] ?? '']))
  }

  test('offers commands, then those below, then options and their values', () => {
    expect(offered('printyard jo')).toEqual(['jobs'])
    expect(offered('printyard jobs p').toSorted()).toEqual(['pause', 'print'])
    expect(offered('printyard jobs list --s').toSorted()).toEqual(['--server', '--status'])
    expect(offered('printyard jobs list --status p').toSorted()).toEqual(['paused', 'printing', 'processing'])
  })

  test('is not led astray by an argument that looks like a command', () => {
    expect(offered('printyard jobs print jobs --pri').toSorted()).toEqual(['--printer', '--priority'])
  })
})

describe.skipIf(!has('zsh'))('zsh', () => {
  /**
   * What zsh offers for words of which the last is being typed: the function as it is, with the two builtins by which it answers, which
   * work in a line that is being edited alone, writing down what they are given.
   */
  function offered(...words: string[]): string[] {
    const script = `
      compdef() { }
      _files() { }
      compadd() { shift; print -l -- "$@" }
      _describe() { print -l -- "\${(@P)2}" }
      ${writeCompletion(program, 'zsh')}
      words=(printyard "$@"); CURRENT=$(( $# + 1 ))
      _printyard`
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script, 'zsh', ...words], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const typed = words.at(-1) ?? ''
    return stdout.split('\n').flatMap((each) => (each.startsWith(typed) ? [each.split(':', 1)[0] ?? ''] : []))
  }

  test('offers commands, then those below, then options and their values', () => {
    expect(offered('jo')).toEqual(['jobs'])
    expect(offered('jobs', 'p').toSorted()).toEqual(['pause', 'print'])
    expect(offered('jobs', 'list', '--s').toSorted()).toEqual(['--server', '--status'])
    expect(offered('jobs', 'list', '--status', 'p').toSorted()).toEqual(['paused', 'printing', 'processing'])
  })

  test('is not led astray by an argument that looks like a command', () => {
    expect(offered('jobs', 'print', 'jobs', '--pri').toSorted()).toEqual(['--printer', '--priority'])
  })
})

test.each(shells)('the script for %s names every command and each of its options', (shell) => {
  const script = writeCompletion(program, shell)
  const leaves = leavesOf(program)
  expect(leaves.length).toBeGreaterThan(40)
  for (const leaf of leaves) {
    expect(script).toContain(leaf.name())
    for (const { long } of leaf.options) expect(script).toContain(shell === 'fish' ? `-l ${long?.slice(2)}` : long)
  }
})
