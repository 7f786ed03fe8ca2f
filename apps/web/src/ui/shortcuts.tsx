import { Kbd, Modal, Table } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'

export interface Shortcut {
  /** As Mantine's `useHotkeys` writes it: `mod+K`, `g then p` is written as two entries. */
  keys: string
  label: string
  run: () => void
}

/** Keys that work on the whole page, and the list of them under `?`. They are silent while somebody types. */
export function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const [isOpen, setIsOpen] = useState(false)
  useHotkeys([
    ['shift+?', () => setIsOpen(true), { usePhysicalKeys: false }],
    ...shortcuts.map(({ keys, run }): [string, () => void] => [keys, run]),
  ])
  return (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Keyboard">
      <Table>
        <Table.Tbody>
          {[...shortcuts, { keys: '?', label: 'Show this list' }].map(({ keys, label }) => (
            <Table.Tr key={keys}>
              <Table.Td>
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
