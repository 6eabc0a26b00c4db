// Whether the service beside it can answer requests: ends with 0 where it can, else with 1.
const port = process.env.PORT || '3000';
const path = new URL(process.env.BASE_URL || 'http://localhost').pathname.replace(/\/$/, '');
const response = await fetch(`http://127.0.0.1:${port}${path}/health/ready`);
process.exit(response.ok ? 0 : 1);
