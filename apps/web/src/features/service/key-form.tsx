import { type FormEvent, useId, useState } from 'react'
import { readKeyText } from './key-text.ts'

export function KeyForm({ onKey }: { onKey: (key: string) => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const fieldId = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readKeyText(text)
    if ('key' in read) onKey(read.key)
    else setProblem(read.problem)
  }

  return (
    <form className="key-form" onSubmit={submit}>
      <label htmlFor={fieldId}>API key</label>
      {/* Not a password field: browsers offer to store those, and this key is not to outlive the page. */}
      <input
        id={fieldId}
        className="veiled"
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-describedby={`${fieldId}-note ${fieldId}-problem`}
        aria-invalid={problem !== ''}
      />
      <p id={`${fieldId}-problem`} className="field-problem" role="alert">
        {problem}
      </p>
      <button type="submit">Show my farm</button>
      <p id={`${fieldId}-note`} className="faint">
        The key stays in the memory of this page and is forgotten when the page is closed or loaded again.
      </p>
    </form>
  )
}
