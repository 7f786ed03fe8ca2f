import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SchedulerSettings } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeScheduler } from '../settings.api.ts'
import { readScheduler, type SchedulerTexts, weekdays, writeScheduler } from './scheduler-texts.ts'

/** When a person is there, and how many printers may heat at once. */
export function SchedulerForm({ settings }: { settings: SchedulerSettings }) {
  const form = useForm<SchedulerTexts>({
    mode: 'controlled',
    initialValues: readScheduler(settings),
    validate: {
      days: (days, { hasHours }) => (hasHours && days.length === 0 ? t('Choose at least one day') : null),
    },
  })
  const change = useChangeScheduler()
  const { time_zone, ...before } = settings
  const changes = changedFields(before, writeScheduler(form.values))

  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: () => changes,
    done: () => t('The schedule is saved'),
    within: 'working_hours',
  })

  const { hasHours } = form.values
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <Switch
          label={t('Working hours')}
          description={t('No plate is started that would finish outside working hours')}
          {...form.getInputProps('hasHours', { type: 'checkbox' })}
        />
        {hasHours && (
          <>
            <Checkbox.Group label={t('Days')} {...form.getInputProps('days')}>
              <Group gap="sm" mt="xs">
                {weekdays.map(({ value, label }) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </Group>
            </Checkbox.Group>
            <SimpleGrid cols={2} spacing="sm">
              <TextInput label={t('From')} placeholder="08:30" required maxLength={5} {...form.getInputProps('from')} />
              <TextInput
                label={t('To')}
                description={t('24:00 is the end of the day. Zone: {time_zone}', { time_zone })}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                placeholder="17:00"
                required
                maxLength={5}
                {...form.getInputProps('to')}
              />
            </SimpleGrid>
          </>
        )}
        <NumberInput
          label={t('Printers that heat up at once')}
          description={t('In one power group; empty for any number')}
          min={1}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('heating_at_once')}
        />
        <NumberInput
          label={t('Least time between two starts, in seconds')}
          description={t('In one power group; empty for none')}
          min={1}
          max={86_400}
          allowDecimal={false}
          {...form.getInputProps('heating_gap_seconds')}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={Object.keys(changes).length === 0}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
