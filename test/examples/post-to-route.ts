/** Posts one message to the route handler of the examples and prints what comes back. */
import { POST } from '../../examples/route-handler.js';

const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'What time is it?' }] }];
const request = new Request('http://localhost/api/chat', { method: 'POST', body: JSON.stringify({ messages }) });
const response = await POST(request);
console.log(response.status, response.headers.get('content-type'));
console.log(await response.text());
