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

test.each(shells)('the script for %s names every command and each of its options', (shell) => {
  const script = writeCompletion(program, shell)
  const leaves = leavesOf(program)
  expect(leaves.length).toBeGreaterThan(40)
  for (const leaf of leaves) {
    expect(script).toContain(leaf.name())
    for (const { long } of leaf.options) expect(script).toContain(shell === 'fish' ? `-l ${long?.slice(2)}` : long)
  }
})
