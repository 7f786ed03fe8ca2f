import { Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { compareTexts } from './diff-lines.ts'
import './revision-diff.css'

const signs = { added: '+', removed: '−', same: '', gap: '' }

/** What a revision changed: lines that came and lines that went, told by their signs as well as by colour. */
export function RevisionDiff({ before, after }: { before: string; after: string }) {
  const lines = compareTexts(before, after)
  if (lines.every(({ kind }) => kind === 'gap'))
    return <Text c="dimmed">{t('The content that readers see did not change.')}</Text>
  return (
    <pre className="revision-diff">
      {lines.map(({ kind, text }, place) => {
        const Line = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <Line key={place} data-sign={signs[kind]} {...(kind === 'gap' && { className: 'revision-gap' })}>
            {text}
          </Line>
        )
      })}
    </pre>
  )
}
