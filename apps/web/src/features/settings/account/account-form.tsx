import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Account } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeAccount } from '../settings.api.ts'
import { timeZones } from './time-zones.ts'

/** Name, clock and rules of the account. Only what was changed is sent. */
export function AccountForm({ account }: { account: Account }) {
  const { name, time_zone, requeue_rejected_units } = account
  const form = useForm({ mode: 'controlled', initialValues: { name, time_zone, requeue_rejected_units } })
  const change = useChangeAccount()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => changedFields({ name, time_zone, requeue_rejected_units }, values),
    done: () => 'The account is saved',
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput label="Name of the farm" required maxLength={200} {...form.getInputProps('name')} />
        <Select
          label="Time zone"
          description="Days, working hours and times of this account are told in it"
          data={timeZones(time_zone)}
          searchable
          allowDeselect={false}
          limit={80}
          nothingFoundMessage="No zone is called so"
          {...form.getInputProps('time_zone')}
        />
        <Switch
          label="Print rejected units again"
          description="Units that are found bad are queued again by a new job"
          {...form.getInputProps('requeue_rejected_units', { type: 'checkbox' })}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!isChanged(account, form.values)}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function isChanged(account: Account, values: Pick<Account, 'name' | 'time_zone' | 'requeue_rejected_units'>): boolean {
  return Object.keys(changedFields({ ...account }, { ...values })).length > 0
}
