import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { User } from '../../lib/api/api-routes.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { useChangeProfile } from './settings.api.ts'

export function NameForm({ user }: { user: User }) {
  const form = useForm({ mode: 'controlled', initialValues: { name: user.name } })
  const change = useChangeProfile()
  const [problem, setProblem] = useState<Error>()
  const submit = form.onSubmit(({ name }) => {
    setProblem(undefined)
    change.mutate(name, {
      onSuccess: () => toastDone('Your name is saved'),
      onError: (error) => setProblem(showFieldErrors(form, error)),
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput
          label="Name"
          description="As others see it"
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <TextInput label="Email" description="You sign in by it" value={user.email} readOnly variant="filled" />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={form.values.name === user.name}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
