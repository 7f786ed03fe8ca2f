import { Kbd, Modal, Table } from '@mantine/core'
import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { type PageKey, pageKeys } from './page-keys.ts'

interface Shortcut {
  /** As Mantine's `useHotkeys` writes it: `mod+K`. */
  keys: string
  label: string
  run: () => void
}

interface ShortcutsProps {
  shortcuts: readonly Shortcut[]
  /** Keys that another part of the page listens to, for the list. */
  others?: readonly Omit<Shortcut, 'run'>[]
}

/** Keys that work on the whole page, and the list of them under `?`. They are silent while a person types. */
export function Shortcuts({ shortcuts, others = [] }: ShortcutsProps) {
  const [isOpen, setIsOpen] = useState(false)
  useHotkeys([
    ...hotkeysOf({
      key: '?',
      press: () => {
        setIsOpen(true)
        return true
      },
    }),
    ...shortcuts.map(({ keys, run }): [string, () => void] => [keys, run]),
    ...pageKeys.flatMap(hotkeysOf),
  ])
  return (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={t('Keyboard')}>
      <Table>
        <Table.Tbody>
          {[
            ...others,
            ...shortcuts,
            ...pageKeys.map(({ key, label }) => ({ keys: key, label })),
            { keys: '?', label: t('Show this list') },
          ].map(({ keys, label }) => (
            <Table.Tr key={keys}>
              <Table.Td w="6rem">
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

/** Signs are typed with Shift on some keyboards. What the page has nothing for is left to the browser. */
function hotkeysOf({ key, press }: Pick<PageKey, 'key' | 'press'>): HotkeyItem[] {
  const options = { usePhysicalKeys: false, preventDefault: false }
  const run = (event: KeyboardEvent) => {
    if (!event.repeat && press(document)) event.preventDefault()
  }
  return [[key, run, options], ...(/\w/.test(key) ? [] : [[`shift+${key}`, run, options] satisfies HotkeyItem])]
}
