import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import type { ApiError } from '../../lib/api/api-error.ts'
import { t } from '../../lib/i18n/t.ts'

/** Who has a second factor is asked for its code when the password was right. */
export function useSignInCode() {
  const [isAsked, setIsAsked] = useState(false)
  return {
    isAsked,
    /** What of it is sent beside the password. */
    body: (code: string) => (isAsked ? { code: code.replaceAll(/\s/g, '') } : {}),
    fieldErrors({ code, details }: ApiError): Record<string, string> | undefined {
      if (code === 'CODE_INVALID') return { code: t('This code is wrong or has been used') }
      if (code !== 'CODE_REQUIRED') return undefined
      // Who has passkeys alone signs in by one of them: there is no code to type.
      if (!methodsOf(details).includes('code')) return undefined
      setIsAsked(true)
      return {}
    },
  }
}

function methodsOf(details: unknown): unknown[] {
  const { methods } = (details ?? {}) as { methods?: unknown }
  return Array.isArray(methods) ? methods : ['code']
}

export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label={t('Code')}
      description={t('Six digits from your authenticator app, or one of your backup codes')}
      autoComplete="one-time-code"
      required
      autoFocus
      {...props}
    />
  )
}
