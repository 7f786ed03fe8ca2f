import { Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import type { CommandDialogProps } from './command-dialog.ts'

/** Loads or unloads filament, by slot where the printer tells of several. */
export function FilamentDialog({ printer, command, isOpen, onClose }: CommandDialogProps) {
  const { name, slots } = printer
  const [slot, setSlot] = useState<string | null>(null)
  const [temperature, setTemperature] = useState<number | string>('')
  const body = {
    slot: slot === null ? null : Number(slot),
    temperature: typeof temperature === 'number' ? temperature : null,
  }
  const send = (kind: 'load' | 'unload') =>
    command.mutate(
      {
        command: { kind, body },
        done:
          kind === 'load'
            ? t('Filament is loaded on {name}', { name })
            : t('Filament is unloaded from {name}', { name }),
        failed:
          kind === 'load'
            ? t('The filament of {name} was not loaded', { name })
            : t('The filament of {name} was not unloaded', { name }),
      },
      { onSuccess: onClose },
    )
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Change the filament of {name}?', { name })}>
      <Stack>
        <Text>{t('The nozzle heats up and the filament moves. Stand by the printer.')}</Text>
        {slots !== null && slots.length > 1 && (
          <Select
            label={t('Slot')}
            placeholder={t('The only one, or the active one')}
            data={slots.map(({ slot: number, name: place, filament_type, is_empty }) => ({
              value: String(number),
              label: [place, is_empty ? 'empty' : (filament_type ?? '')].filter(Boolean).join(': '),
            }))}
            value={slot}
            onChange={setSlot}
            clearable
          />
        )}
        <NumberInput
          label={t('Nozzle temperature in °C')}
          description={t('Empty leaves it to the printer')}
          min={0}
          max={500}
          allowDecimal={false}
          value={temperature}
          onChange={setTemperature}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button variant="default" loading={command.isPending} onClick={() => send('unload')}>
            {t('Unload')}
          </Button>
          <Button loading={command.isPending} onClick={() => send('load')}>
            {t('Load')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
