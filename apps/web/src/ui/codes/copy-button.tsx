import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../icon.tsx'

/** How long the button says what came of it. */
const shownMs = 2000

interface CopyButtonProps extends Omit<ButtonProps, 'leftSection' | 'children'> {
  value: string
  children?: ReactNode
  'aria-label'?: string
}

/** Copies `value` and says whether that worked; where the browser refuses, the text beside it can be selected. */
export function CopyButton({ value, children = t('Copy'), ...more }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <Button
      variant="default"
      {...more}
      onClick={() => void copyText(value).then((isCopied) => setOutcome(isCopied ? 'copied' : 'refused'))}
      leftSection={
        <Icon name={outcome === 'copied' ? 'check' : outcome === 'refused' ? 'warning' : 'copy'} size={14} />
      }
    >
      {outcome === 'copied' ? t('Copied') : outcome === 'refused' ? t('Select and copy it') : children}
    </Button>
  )
}
