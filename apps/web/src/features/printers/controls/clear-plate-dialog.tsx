import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import type { FailureType } from '../../../lib/words/failure-words.ts'
import { BadUnitsReason, badUnits } from '../../../ui/forms/bad-units-reason.tsx'
import type { CommandDialogProps } from './command-dialog.ts'

/** A person says that the plate is empty, and how much of what they took off is bad. */
export function ClearPlateDialog({ printer, command, isOpen, onClose }: CommandDialogProps) {
  const { name, plate_job_id, status } = printer
  const isFaulty = status === 'error'
  const [rejected, setRejected] = useState<number | string>(0)
  const [type, setType] = useState<FailureType>()
  const clear = () =>
    command.mutate(
      {
        command: {
          kind: 'control',
          body: {
            action: 'clear_bed',
            ...badUnits(Number(rejected), type),
            ...(isFaulty && { seen_over: true }),
          },
        },
        done: t('The plate of {name} is clear', { name }),
        failed: t('The plate of {name} was not cleared', { name }),
      },
      { onSuccess: onClose },
    )
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Is the plate of {name} empty?', { name })}>
      <Stack>
        <Text>
          {isFaulty
            ? t(
                'It reports an error. Look that nothing moves and that nothing lies on the plate: once the error is gone, the next job may start at once.',
              )
            : t('Look before you answer: the next job may start at once.')}
        </Text>
        {plate_job_id !== null && (
          <NumberInput
            label={t('Bad units')}
            description={t('They leave the stock again; 0 when all are good')}
            min={0}
            max={100_000}
            allowDecimal={false}
            allowNegative={false}
            value={rejected}
            onChange={setRejected}
          />
        )}
        {Number(rejected) > 0 && <BadUnitsReason value={type} onChange={setType} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button onClick={clear} loading={command.isPending}>
            {t('The plate is clear')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
