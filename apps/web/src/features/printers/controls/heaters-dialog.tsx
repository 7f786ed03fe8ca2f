import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { printerModelsQuery } from '../../../lib/api/shared-queries.ts'
import type { CommandDialogProps } from './command-dialog.ts'
import { limitsOf } from './heater-limits.ts'

const heaters = ['nozzle', 'bed', 'chamber'] as const
type Part = (typeof heaters)[number]
const labels: Record<Part, string> = { nozzle: 'Nozzle', bed: 'Bed', chamber: 'Chamber' }

/** Targets for the heaters of one printer, within what its model bears. */
export function HeatersDialog({ printer, command, isOpen, onClose }: CommandDialogProps) {
  const { name, model } = printer
  const models = useQuery({ ...printerModelsQuery(), enabled: isOpen })
  const limits = limitsOf(models.data ?? [], model)
  const [targets, setTargets] = useState<Partial<Record<Part, number>>>({})
  const parts = heaters.filter((part) => limits[part] !== null)

  const send = (body: Partial<Record<Part, number>>, done: string) =>
    command.mutate(
      { command: { kind: 'heaters', body }, done, failed: `The heaters of ${name} were not set` },
      { onSuccess: onClose },
    )

  return (
    <Modal opened={isOpen} onClose={onClose} title={`Heat ${name}?`}>
      <Stack>
        <Text>Heaters stay as they are set until they are changed. An empty field stays as it is.</Text>
        {parts.map((part) => (
          <NumberInput
            key={part}
            label={`${labels[part]} in °C`}
            description={`0 to ${limits[part]} on this model`}
            min={0}
            max={limits[part] ?? 0}
            clampBehavior="strict"
            allowDecimal={false}
            value={targets[part] ?? ''}
            onChange={(value) =>
              setTargets((before) => {
                const { [part]: _, ...others } = before
                return typeof value === 'number' ? { ...others, [part]: value } : others
              })
            }
          />
        ))}
        <Group justify="space-between">
          <Button
            variant="default"
            loading={command.isPending}
            onClick={() => send({ nozzle: 0, bed: 0 }, `The heaters of ${name} are off`)}
          >
            All off
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              disabled={Object.keys(targets).length === 0}
              loading={command.isPending}
              onClick={() => send(targets, `${name} heats`)}
            >
              Set heaters
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
