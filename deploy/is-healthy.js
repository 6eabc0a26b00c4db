// Whether the service beside it answers: ends with 0 where it does, else with 1.
const port = process.env.PORT || '3000';
const path = new URL(process.env.BASE_URL || 'http://localhost').pathname.replace(/\/$/, '');
const answer = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server${path}`);
process.exit(answer.ok ? 0 : 1);
