import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { printerModelsQuery } from '../../../lib/api/shared-queries.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { CommandDialogProps } from './command-dialog.ts'
import { limitsOf } from './heater-limits.ts'

const heaters = ['nozzle', 'bed', 'chamber'] as const
type Part = (typeof heaters)[number]
const labels: Record<Part, string> = { nozzle: t('Nozzle'), bed: t('Bed'), chamber: t('Chamber') }

/** Targets for the heaters of one printer, within what its model bears. */
export function HeatersDialog({ printer, command, isOpen, onClose }: CommandDialogProps) {
  const { name, model } = printer
  const models = useQuery({ ...printerModelsQuery(), enabled: isOpen })
  const limits = limitsOf(models.data ?? [], model)
  const [targets, setTargets] = useState<Partial<Record<Part, number>>>({})
  const parts = heaters.filter((part) => limits[part] !== null)

  const send = (body: Partial<Record<Part, number>>, done: string) =>
    command.mutate(
      { command: { kind: 'heaters', body }, done, failed: t('The heaters of {name} were not set', { name }) },
      { onSuccess: onClose },
    )

  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Heat {name}?', { name })}>
      <Stack>
        <Text>{t('Heaters stay as they are set until they are changed. An empty field stays as it is.')}</Text>
        {parts.map((part) => (
          <NumberInput
            key={part}
            label={t('{labels} in °C', { labels: labels[part] })}
            description={t('0 to {limit} on this model', { limit: limits[part] })}
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
            onClick={() => send({ nozzle: 0, bed: 0 }, t('The heaters of {name} are off', { name }))}
          >
            {t('All off')}
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              disabled={Object.keys(targets).length === 0}
              loading={command.isPending}
              onClick={() => send(targets, t('{name} heats', { name }))}
            >
              {t('Set heaters')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
