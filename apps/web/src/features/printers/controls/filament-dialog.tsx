import { Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
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
        done: kind === 'load' ? `Filament is loaded on ${name}` : `Filament is unloaded from ${name}`,
        failed: `The filament of ${name} was not ${kind}ed`,
      },
      { onSuccess: onClose },
    )
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Change the filament of ${name}?`}>
      <Stack>
        <Text>The nozzle heats up and the filament moves. Stand by the printer.</Text>
        {slots !== null && slots.length > 1 && (
          <Select
            label="Slot"
            placeholder="The only one, or the active one"
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
          label="Nozzle temperature in °C"
          description="Empty leaves it to the printer"
          min={0}
          max={500}
          allowDecimal={false}
          value={temperature}
          onChange={setTemperature}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="default" loading={command.isPending} onClick={() => send('unload')}>
            Unload
          </Button>
          <Button loading={command.isPending} onClick={() => send('load')}>
            Load
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
