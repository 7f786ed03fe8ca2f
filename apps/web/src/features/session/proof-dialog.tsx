import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { onProven } from '../../lib/proof-channel.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { Icon } from '../../ui/icon.tsx'
import { type ProofMethod, useProve, useProveByPasskey, useProveByProvider } from './session.api.ts'
import type { AskedProof } from './session-questions.ts'
import { CodeInput } from './sign-in-code.tsx'

/** Asks the person to show that it is them when a call needs that; the call then goes on by itself. */
export function ProofDialog({ asked }: { asked: AskedProof | undefined }) {
  // As with every question over a dialog: the one beneath must not close with it.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!asked || event.key !== 'Escape' || event.isComposing) return
    event.stopImmediatePropagation()
    asked.answer(false)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => asked?.answer(false)}
      closeOnEscape={false}
      title={<Text fw={650}>{t('Is it you?')}</Text>}
      // Over whatever dialog has asked (250).
      zIndex={300}
    >
      {asked && <Methods methods={asked.methods} onDone={() => asked.answer(true)} />}
    </Modal>
  )
}

function Methods({ methods, onDone }: { methods: ProofMethod[]; onDone: () => void }) {
  if (methods.length === 0) {
    return (
      <Text size="sm">
        {t(
          'This needs a password, a passkey or an authenticator app, and you have none. Ask an owner or admin for a link to set a password.',
        )}
      </Text>
    )
  }
  return (
    <Stack>
      <Text size="sm">
        {t(
          'The next action could be used to take this account over. Confirm your identity; this counts for ten minutes.',
        )}
      </Text>
      {methods.includes('passkey') && <ByPasskey onDone={onDone} />}
      {methods.includes('provider') && <ByProvider onDone={onDone} />}
      {(methods.includes('password') || methods.includes('code')) && (
        <BySecret kind={methods.includes('password') ? 'password' : 'code'} onDone={onDone} />
      )}
    </Stack>
  )
}

function BySecret({ kind, onDone }: { kind: 'password' | 'code'; onDone: () => void }) {
  const form = useForm({ mode: 'controlled', initialValues: { password: '', code: '' } })
  const prove = useProve()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: prove,
    body: ({ password, code }) => (kind === 'password' ? { password } : { code: code.replaceAll(/\s/g, '') }),
    onDone,
    fieldErrors: ({ code }) =>
      code === 'CODE_INVALID' ? { code: t('This code is wrong or has been used') } : undefined,
  })
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        {kind === 'password' ? (
          <PasswordInput
            label={t('Your password')}
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('password')}
          />
        ) : (
          <CodeInput {...form.getInputProps('code')} />
        )}
        <Button type="submit" loading={prove.isPending}>
          {t('Go on')}
        </Button>
      </Stack>
    </form>
  )
}

function ByPasskey({ onDone }: { onDone: () => void }) {
  const prove = useProveByPasskey()
  return (
    <>
      <FormProblem problem={prove.error ?? undefined} />
      <Button
        variant="default"
        leftSection={<Icon name="key" size={16} />}
        loading={prove.isPending}
        onClick={() => prove.mutate(undefined, { onSuccess: onDone })}
      >
        {t('Use a passkey')}
      </Button>
    </>
  )
}

/** In a page of its own, so that nothing typed into this one is lost. */
function ByProvider({ onDone }: { onDone: () => void }) {
  const prove = useProveByProvider()
  useEffect(() => onProven(onDone), [onDone])
  if (prove.data) {
    return (
      <Button component="a" href={prove.data.url} target="_blank" rel="noopener" variant="default">
        {t('Open the sign-in of the provider')}
      </Button>
    )
  }
  return (
    <>
      <FormProblem problem={prove.error ?? undefined} />
      <Button variant="default" loading={prove.isPending} onClick={() => prove.mutate()}>
        {t('Sign in at the provider again')}
      </Button>
    </>
  )
}
