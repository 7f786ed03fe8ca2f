import { expect, test } from 'vitest'
import { compareTexts } from './diff-lines.ts'

test('what was added and removed stands between the lines around it', () => {
  expect(compareTexts('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'B' },
    { kind: 'same', text: 'c' },
  ])
})

test('long stretches without a change are told by their number', () => {
  const same = Array.from({ length: 10 }, (_, line) => `line ${line}`).join('\n')
  expect(compareTexts(`${same}\nold\n`, `${same}\nnew\n`)).toEqual([
    { kind: 'gap', text: '8 lines as before' },
    { kind: 'same', text: 'line 8' },
    { kind: 'same', text: 'line 9' },
    { kind: 'removed', text: 'old' },
    { kind: 'added', text: 'new' },
  ])
})

test('equal texts are one gap', () => {
  expect(compareTexts('a\nb\n', 'a\nb\n')).toEqual([{ kind: 'gap', text: '2 lines as before' }])
})
