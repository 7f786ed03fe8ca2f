import { Button, Group, Modal, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'

interface MoveDialogProps {
  name: string
  /** From 1. */
  place: number
  last: number
  onClose: () => void
  onMove: (place: number) => void
}

/** Asks for a place in the queue. */
export function MoveDialog({ name, place, last, onClose, onMove }: MoveDialogProps) {
  const [value, setValue] = useState<number | string>(place)
  const isPlace = typeof value === 'number' && value >= 1 && value <= last
  return (
    <Modal opened onClose={onClose} title={t('Move {name}', { name })} size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isPlace) onMove(value)
        }}
      >
        <NumberInput
          label={t('Number in the queue (1 to {last})', { last })}
          min={1}
          max={last}
          allowDecimal={false}
          value={value}
          onChange={setValue}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" disabled={!isPlace}>
            {t('Move')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
