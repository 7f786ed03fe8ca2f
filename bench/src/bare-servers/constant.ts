import { answerJson, serveBare } from './answer-json.ts'

// Always the same text, given on the command line.
const [body = ''] = process.argv.slice(2)
serveBare((_request, response) => answerJson(response, body))
