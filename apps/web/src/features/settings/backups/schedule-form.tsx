import { Button, Group, NumberInput, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BackupSchedule } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Time } from '../../../ui/time.tsx'
import { useChangeSchedule } from './backups.api.ts'

const whole = { allowDecimal: false, max: 1_000, required: true } as const

/** When backups are made, and how many stay. */
export function ScheduleForm({ schedule: { next_at, ...schedule } }: { schedule: BackupSchedule }) {
  const form = useForm({ mode: 'controlled', initialValues: schedule })
  const change = useChangeSchedule()
  const changes = changedFields(schedule, form.values)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: () => changes,
    done: () => t('The schedule is saved'),
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <Switch
          label={t('A backup every day')}
          description={t('Made beside the running service, and restored once into a scratch database before it counts')}
          {...form.getInputProps('is_enabled', { type: 'checkbox' })}
        />
        <NumberInput label={t('Hour of the day, in UTC')} {...whole} min={0} max={23} {...form.getInputProps('hour')} />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput label={t('Days kept')} {...whole} min={1} {...form.getInputProps('keep_daily')} />
          <NumberInput label={t('Weeks kept')} {...whole} min={0} {...form.getInputProps('keep_weekly')} />
          <NumberInput label={t('Months kept')} {...whole} min={0} {...form.getInputProps('keep_monthly')} />
        </SimpleGrid>
        {next_at !== null && (
          <Text size="sm" c="dimmed">
            <Rich text="Next one: {time}" values={{ time: <Time at={next_at} as="clock" /> }} />
          </Text>
        )}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={Object.keys(changes).length === 0}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
